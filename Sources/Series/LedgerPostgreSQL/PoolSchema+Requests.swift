extension PoolSchema {
  /// Requests that came with a key and were carried out: each is noted in the transaction that does
  /// what it asks. Of the sixth version.
  static let requests = """
    CREATE TABLE IF NOT EXISTS nfcprog.request (
      key text PRIMARY KEY,
      id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      digest bytea NOT NULL CHECK (length(digest) = 32),
      batch text NOT NULL
    );

    DO $$
    DECLARE maker name;
    BEGIN
      FOR maker IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
        WHERE table_schema = 'nfcprog' AND table_name = 'list' AND privilege_type = 'INSERT'
          AND grantee <> 'PUBLIC'
      LOOP
        EXECUTE format('GRANT SELECT, INSERT, DELETE ON nfcprog.request TO %I', maker);
      END LOOP;
    END $$;
    """
}
