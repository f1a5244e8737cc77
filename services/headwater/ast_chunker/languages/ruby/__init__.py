"""Ruby: everything is open, so whatever is not local can be used elsewhere."""

from headwater.ast_chunker.languages.language import Language

LANGUAGE = Language(
    name="ruby",
    grammar="tree_sitter_ruby",
    extensions=(".rb", ".rake", ".gemspec", ".ru", ".podspec"),
    filenames=("Rakefile", "Gemfile", "Guardfile", "Capfile", "Vagrantfile", "Brewfile", "Podfile", "Fastfile"),
    shebangs=("ruby", "jruby"),
    members_visible=True,
    self_names=("self", "super"),
)
