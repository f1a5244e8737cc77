using System;
using System.Collections.Generic;
using Json = System.Text.Json.JsonSerializer;
using static System.Math;
global using Shop.Core;

namespace Shop.Orders
{
    public delegate void Placed(Order order, int count);

    /// <summary>How an order stands.</summary>
    public enum State { Open, Paid = 2, Sent }

    public interface IPriced
    {
        decimal Price { get; }
        decimal Total(int count);
    }

    public record Money(decimal Amount, string Currency = "EUR");

    public readonly struct Line
    {
        public readonly string Sku;
        public int Count { get; init; }
    }

    /// <summary>One order of a customer.</summary>
    [Serializable]
    public abstract class Order<T> : Entity, IPriced where T : class, new()
    {
        private const int Limit = 100;
        private static readonly Dictionary<string, int> counts = new();
        public event Placed OnPlaced;
        public string Name { get; set; } = "none";
        public decimal Price => lines.Count * 2;

        private List<Line> lines, spare;

        // Makes one.
        public Order(string name) : base(name)
        {
            this.Name = name;
            lines = new List<Line>();
        }

        ~Order() { counts.Clear(); }

        [Obsolete("use Total2")]
        public virtual decimal Total(int count)
        {
            int Twice(int n) => n * 2;
            decimal sum = 0;
            foreach (var line in lines)
            {
                sum += line.Count * Price;
            }
            Func<int, int> inc = x => x + 1;
            OnPlaced?.Invoke(null, inc(Twice(count)));
            Console.WriteLine($"{Name} {sum}");
            return Max(sum, Limit);
        }

        public Line this[int index] => lines[index];

        public static Order<T> operator +(Order<T> a, Line b) => a;
        public static implicit operator string(Order<T> o) => o.Name;

        public TOut Map<TOut>(Func<T, TOut> f, params string[] rest)
        {
            if (rest is [var head, ..] && head is string s)
                Json.Serialize(s);
            try { Save(); } catch (Exception e) { Log(e.Message); }
            var (a, b) = Split();
            var anon = new { Name, Size = a };
            object o = new Line { Count = b };
            switch (o) { case Line l when l.Count > 0: break; }
            start:
            goto start;
            return f(default);
        }
    }

    public static class OrderExtensions
    {
        public static bool IsOpen(this Order<string> order) => nameof(State.Open) == order.Name;
    }
}
