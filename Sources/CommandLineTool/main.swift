print("strandline")
