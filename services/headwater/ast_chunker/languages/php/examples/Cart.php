<?php

declare(strict_types=1);

namespace Shop\Cart;

use Shop\Core\Money;
use Shop\Core\{Item as Entry, Store};
use function Shop\Core\format;
use const Shop\Core\LIMIT;

require_once __DIR__ . '/bootstrap.php';

const MAX_ITEMS = 20;
define('MIN_ITEMS', 1);

/** Whatever has a price. */
interface Priced extends \Countable
{
    const CURRENCY = 'EUR';
    public function price(): Money;
}

trait Logs
{
    protected array $log = [];

    public function log(string $message): void
    {
        $this->log[] = $message;
    }
}

enum Status: string implements HasLabel
{
    case Open = 'open';
    case Closed = 'closed';

    public function label(): string
    {
        return match ($this) {
            self::Open => 'is open',
            Status::Closed => 'is closed',
        };
    }
}

/**
 * A cart of a visitor.
 */
#[Entity(table: 'carts')]
abstract class Cart extends Base implements Priced, \JsonSerializable
{
    use Logs, Events {
        Logs::log as protected writeLog;
    }

    public const LIMIT = 10;
    private static int $count = 0;
    public ?string $name = null, $note;

    // Makes a cart.
    public function __construct(private readonly Store $store, protected int $size = MAX_ITEMS)
    {
        parent::__construct();
        self::$count++;
        static::boot();
    }

    #[Pure]
    public function price(): Money
    {
        $total = 0;
        foreach ($this->store->items() as $key => $item) {
            $total += $item->price;
        }
        $double = fn (int $n): int => $n * 2;
        $add = function (Entry|null $entry) use (&$total): void {
            $total += $entry?->amount() ?? 0;
        };
        $add(new Entry('x'));
        function inner(int $a) { return $a; }
        return format($double($total), Cart::LIMIT, \strlen("$this->name {$total}"));
    }

    abstract protected function open(int ...$ids): static;
}

function make_cart(Store $store, array &$options): Cart
{
    global $registry;
    static $made = 0;
    $cart = new class($store) extends Cart {
        public function open(int ...$ids): static { return $this; }
    };
    [$a, 'b' => $b] = $options;
    try {
        $cart->open(...$a);
    } catch (NotFound | \RuntimeException $e) {
        echo $e->getMessage(), PHP_EOL;
    }
    if ($cart instanceof Priced) {
        return $cart;
    }
    return $registry[$made];
}
?>
<h1><?= make_cart($store, []) ?></h1>
