import nfcprog

NFCProg.main()
