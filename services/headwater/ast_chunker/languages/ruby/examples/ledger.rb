require "json"
require_relative "lib/money"

# Accounts of a shop.
module Ledger
  VERSION = "1.0"

  # Raised on a bad entry.
  class Error < StandardError; end

  Point = Struct.new(:x, :y)

  # One account.
  class Account < Base::Record
    include Comparable
    extend Forwardable

    attr_reader :name, :balance
    attr_accessor :limit
    attr_writer "note"
    LIMITS = [1, 2].freeze
    @@count = 0

    alias_method :title, :name
    alias label name

    # Makes an account.
    def initialize(name, balance = 0, *rest, key: 1, **options, &block)
      @name = name
      @balance = balance
      @@count += 1
      $last = self
    end

    def self.open(name)
      new(name).tap { |account| account.touch }
    end

    class << self
      def count
        @@count
      end
    end

    def <=>(other)
      balance <=> other.balance
    end

    def balance=(value)
      raise Error, "bad #{value}" if value.negative?
      @balance = value
    end

    define_method(:reset) do |by|
      @balance = by
    end

    private

    def helper
      total = 0
      entries.each_with_index do |entry, i|
        total += entry.amount
      end
      twice = ->(n) { n * 2 }
      first, *others = entries
      entries.map(&:amount)
      send(:touch)
      JSON.parse(File.read("x"))
      Ledger::Error.new(total)
      twice.call(total)
    rescue Errno::ENOENT => e
      puts e.message
    end
  end
end

def top_level(a)
  Ledger::Account.open(a).balance
end

autoload :Money, "money"
top_level VERSION
