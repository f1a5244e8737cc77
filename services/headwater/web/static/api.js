// Asks the server; a failure becomes an Error with the server's own words.
export async function ask(name, parameters = {}, signal = undefined) {
  const given = Object.entries(parameters).filter(([, value]) => value !== '' && value !== undefined);
  const response = await fetch(`/api/${name}?${new URLSearchParams(given)}`, { signal, headers: { Accept: 'application/json' } });
  const body = await response.json().catch(() => ({ error: { reason: 'NO_ANSWER', message: `the server answered ${response.status}` } }));
  if (!response.ok) {
    throw Object.assign(new Error(body.error.message), { reason: body.error.reason, suggestions: body.error.suggestions ?? [] });
  }
  return body;
}
