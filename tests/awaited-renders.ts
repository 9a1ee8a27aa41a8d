// React drops the rest of a render that suspends in an `act` that is not awaited: whether the view ever shows is luck.
const report = console.error
console.error = (...facts: unknown[]) => {
  if (String(facts[0]).startsWith('A component suspended inside an `act` scope'))
    throw new Error('Await this render: await act(async () => renderView(…)).')
  report(...facts)
}
