-- Customers of the shop.
CREATE TABLE shop.customers (
    id BIGINT PRIMARY KEY,
    email VARCHAR(200) NOT NULL,
    created_at TIMESTAMP DEFAULT now()
);

CREATE TABLE orders (
    id BIGINT PRIMARY KEY,
    customer_id BIGINT REFERENCES shop.customers (id),
    total NUMERIC(10, 2),
    CONSTRAINT positive CHECK (total > 0)
);

CREATE INDEX orders_by_customer ON orders (customer_id);
CREATE UNIQUE INDEX IF NOT EXISTS customers_email ON shop.customers (email);

/* What each customer spent. */
CREATE VIEW spending AS
SELECT c.email, sum(o.total) AS spent
FROM shop.customers AS c
JOIN orders o ON o.customer_id = c.id
WHERE o.total > 10
GROUP BY c.email
ORDER BY spent DESC;

CREATE TYPE level AS ENUM ('low', 'high');
CREATE SEQUENCE order_ids;
CREATE SCHEMA reporting;

CREATE OR REPLACE FUNCTION order_total(order_id BIGINT, factor NUMERIC DEFAULT 1) RETURNS NUMERIC AS $$
BEGIN
    RETURN (SELECT total * factor FROM orders WHERE id = order_id);
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER touch BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch_row();

WITH recent AS (SELECT id, total FROM orders WHERE total > 5)
SELECT r.id, order_total(r.id) FROM recent r;

INSERT INTO orders (id, customer_id) VALUES (1, 2);
UPDATE orders SET total = total + 1 WHERE id = 1;
DELETE FROM orders WHERE id = 1;
ALTER TABLE orders ADD COLUMN note TEXT;
DROP TABLE spending;
