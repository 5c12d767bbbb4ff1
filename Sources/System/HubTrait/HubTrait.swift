#if !Hub
  #error("nfcprog-hub needs the trait Hub of the package nfcprog: swift build --traits Hub")
#endif
