#if !Hub
  #error(
    "nfcprog-hub and nfcprog-agent need the trait Hub of the package nfcprog: swift build --traits Hub"
  )
#endif
