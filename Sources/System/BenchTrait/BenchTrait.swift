#if !Bench && !Hub
  #error(
    """
    Job lists, journals and lines (the products Provisioning and Line, the program nfcprog) need the \
    trait Bench of the package nfcprog: write traits: ["Bench"] beside its path or its address, or \
    leave traits out. Without it use the product Bench, which does one tag at a time.
    """)
#endif
