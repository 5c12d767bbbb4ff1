# The Homebrew formula of nfcprog, for a tap: `brew install --HEAD ./nfcprog.rb` builds a checkout.
#
# A release fills in `url` and `sha256`; until there is one, set HOMEBREW_NFCPROG_REPOSITORY to the
# repository that `--HEAD` takes.
class Nfcprog < Formula
  desc "Programs NFC tags with PN532 readers, at one reader or a line of them"
  homepage "https://example.com/nfcprog"
  # url "https://example.com/nfcprog-1.0.0.tar.gz"
  # sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  head ENV.fetch("HOMEBREW_NFCPROG_REPOSITORY", "https://example.com/nfcprog.git"), branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "expat"
  depends_on "libcsv"
  depends_on "libnfc"
  depends_on "libpq"
  depends_on "libusb"
  depends_on macos: :sequoia
  depends_on "openssl@3"

  def install
    # Of a release, `git` is not there to say which commit it was made from.
    ENV["NFCPROG_COMMIT"] = Utils.git_head if build.head?
    arguments = ["--disable-sandbox", "-c", "release"]
    ["nfcprog", "nfcprog-hub", "nfcprog-agent"].each do |product|
      system "swift", "build", *arguments, "--product", product
    end
    system "swift", "build", "--disable-sandbox", "--product", "generate-manual"
    programs = Utils.safe_popen_read("swift", "build", *arguments, "--show-bin-path").chomp
    manual = Utils.safe_popen_read("swift", "build", "--disable-sandbox", "--show-bin-path").chomp
    ["nfcprog", "nfcprog-hub", "nfcprog-agent"].each do |product|
      bin.install "#{programs}/#{product}"
      system "#{manual}/generate-manual", bin/product, "--output-directory", buildpath
      man1.install "#{product}.1"
      generate_completions_from_executable(
        bin/product, "--generate-completion-script", shells: [:bash, :zsh, :fish]
      )
    end
    pkgshare.install "Docs/packaging/nfcprog.toml"
  end

  def caveats
    <<~TEXT
      An example of settings: #{opt_pkgshare}/nfcprog.toml
      A pool (--journal postgresql://…) loads libpq from #{Formula["libpq"].opt_lib}.
    TEXT
  end

  test do
    assert_match "nfcprog", shell_output("#{bin}/nfcprog --version")
    assert_match "nfcprog-hub", shell_output("#{bin}/nfcprog-hub --version")
    assert_match "nfcprog-agent", shell_output("#{bin}/nfcprog-agent --version")
    tag = "sim:ntag213,file=#{testpath}/t.tag"
    system bin/"nfcprog", "write-url", "https://example.com/t", "--reader", tag
    assert_match "https://example.com/t", shell_output("#{bin}/nfcprog read --reader '#{tag}'")
  end
end
