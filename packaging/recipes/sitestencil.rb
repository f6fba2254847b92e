class Sitestencil < Formula
  include Language::Python::Virtualenv

  desc "@TEXT@"
  homepage "https://pypi.org/project/sitestencil/"
  url "https://files.pythonhosted.org/packages/source/s/sitestencil/@FILE@"
  sha256 "@SHA256@"
  license "@LICENSE@"

  depends_on "python@3.14"

  # The lists of the source name each package with its hashes, and pip takes nothing else, as for the Debian package.
  def install
    builder = environment(buildpath/"builder", "requirements/build.txt")
    pip builder, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir=#{buildpath}/wheels", buildpath
    environment(libexec, "requirements/run.txt")
    pip libexec, "install", "--no-deps", "--no-index", *Dir[buildpath/"wheels/*.whl"]
    # By a path that stays when Homebrew removes an older version: browsers keep it.
    (bin/"sitestencil").write <<~SH
      #!/bin/sh
      exec "#{opt_libexec}/bin/python" -m sitestencil "$@"
    SH
    chmod 0755, bin/"sitestencil"
  end

  def environment(folder, list)
    virtualenv_create(folder, "python3.14", system_site_packages: false)
    pip folder, "install", "--no-deps", "--require-hashes", "--only-binary=:all:", "--requirement=#{list}"
    folder
  end

  def pip(folder, *arguments)
    system "python3.14", "-m", "pip", "--python=#{folder}/bin/python", *arguments
  end

  def caveats
    "Run `sitestencil install` for your browsers, and `sitestencil uninstall` before you uninstall the formula."
  end

  test do
    (testpath/"page.html").write "<title>A page</title><nav>Menu</nav><main><p>#{"Words of the page. " * 30}</p></main>"
    assert_match "Words of the page.", shell_output("#{bin}/sitestencil extract page.html --format text")
  end
end
