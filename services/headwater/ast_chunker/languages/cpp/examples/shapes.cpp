#include <vector>
#include "shapes.hpp"

#define PI 3.14159

namespace geo {
namespace io = std::ios;
using std::vector;
using namespace std::literals;
using Points = vector<struct Point>;
typedef unsigned long id_t;

enum class Color : int { Red, Green = 2 };

/// A shape with an area.
class Shape {
public:
    explicit Shape(id_t id) : id_(id), count{0} {}
    virtual ~Shape() = default;
    virtual double area() const = 0;
    Shape &operator=(const Shape &other) = delete;
    bool operator<(const Shape &other) const { return area() < other.area(); }
    operator bool() const;
    static int live;
    friend class Painter;

protected:
    id_t id_;
    int count;
};

template <typename T, int N = 4>
struct Grid {
    T cells[N];
    using value_type = T;
    template <class U> U as(int i) const { return static_cast<U>(cells[i]); }
};

class Circle final : public Shape, private Named<Circle> {
public:
    Circle(double r);
    double area() const override;

private:
    double r_ = 1.0;
    enum { Small, Big } size_;
};

int Shape::live = 0;

Circle::Circle(double r) : Shape(1), r_(r) { ++live; }

// Pi times the square.
double Circle::area() const
{
    auto square = [this](double x) { return x * x; };
    return PI * square(r_);
}

Shape::operator bool() const { return id_ != 0; }

template <typename T>
T largest(const vector<T> &items)
{
    T best = items.front();
    for (const auto &item : items) {
        if (best < item)
            best = item;
    }
    return best;
}

inline namespace v2 {
int total(const Points &points, Color color = Color::Red)
{
    struct Local { int n; };
    Local local{0};
    Circle *c = new Circle(2.0);
    local.n += static_cast<int>(c->area());
    std::sort(points.begin(), points.end());
    delete c;
    auto [a, b] = pair();
    try {
        geo::largest<int>({1, 2});
    } catch (const std::exception &e) {
        log(e.what());
    }
    return local.n + points.size();
}
}
}  // namespace geo

template <typename T> concept Sized = requires(T t) { t.size(); };
