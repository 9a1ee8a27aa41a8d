import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'

type LoadingRowsProps = {
  /** Inline sizes, one for each row. */
  widths: readonly string[]
  className: string | undefined
}

/** Stand for the rows that are still being read. */
export function LoadingRows({widths, className}: LoadingRowsProps) {
  const text = useText()
  return (
    <div role="img" aria-label={text('common.loading')} className={className}>
      {widths.map((width) => (
        <Skeleton key={width} inlineSize={width} blockSize={14} />
      ))}
    </div>
  )
}
