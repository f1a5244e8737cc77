namespace Shop.Api;

using Shop.Orders;

public partial class Controller
{
    public async Task<int> Get([FromQuery] int id) => await store.Find(id);
}
