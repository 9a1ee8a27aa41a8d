import styles from './fields.module.css'

const longest = 15

/** A frame of the ratio `width:height`; decoration beside its name. Nothing for what is no ratio. */
export function RatioGlyph({ratio}: {ratio: string}) {
  const [width, height] = ratio.split(':').map(Number)
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return null
  const scale = longest / Math.max(width, height)
  return (
    <span
      className={styles.ratio}
      style={{inlineSize: Math.round(width * scale), blockSize: Math.round(height * scale)}}
      aria-hidden="true"
    />
  )
}
