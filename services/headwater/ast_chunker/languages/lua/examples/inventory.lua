local json = require("cjson")
local Base = require "shop.base"

--- Items of a shop.
local M = {}
M.VERSION = "1.0"
LIMIT = 10

local Item = setmetatable({}, { __index = Base })
Item.__index = Item

-- Makes an item.
function Item.new(name, count, ...)
  local self = setmetatable({ name = name, count = count }, Item)
  self.note = "x"
  return self
end

function Item:sell(amount)
  local function twice(n)
    return n * 2
  end
  local inc = function(x) return x + 1 end
  for i, person in ipairs(self.people) do
    print(person.name, i)
  end
  for j = 1, LIMIT do
    if j > amount then goto done end
  end
  ::done::
  self.count = self.count - twice(amount)
  return inc(self.count)
end

local function helper(a, b)
  a.b.c = b
  return json.encode(a), Item.new("x", 1):sell(2)
end

M.make = function(name) return Item.new(name, 0) end
M.handlers = {
  open = function(self) return self end,
  limit = LIMIT,
  ["close"] = helper,
}

function M.util.deep(x) return x end
function global_fn() return helper(M, Base) end

return M
