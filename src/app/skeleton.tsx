/** The same frame as in index.html, so that nothing changes visibly when React takes over. */
export function Skeleton() {
  const boxes = (count: number) => Array.from({length: count}, (_, index) => <i key={index} />)
  return (
    <div className="skeleton" aria-hidden="true">
      <div className="skeleton-rail">{boxes(5)}</div>
      <div className="skeleton-panel">{boxes(4)}</div>
      <div className="skeleton-work" />
      <div className="skeleton-tabs">{boxes(5)}</div>
    </div>
  )
}
