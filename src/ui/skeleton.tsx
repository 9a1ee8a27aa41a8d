import styles from './skeleton.module.css'

type SkeletonProps = {inlineSize?: string | number; blockSize?: string | number; radius?: string}

/** A grey place in the final geometry of what is loading. Appears only after 150 ms (design §11). */
export function Skeleton({inlineSize = '100%', blockSize = 16, radius = 'var(--r-sm)'}: SkeletonProps) {
  return <span className={styles.skeleton} style={{inlineSize, blockSize, borderRadius: radius}} aria-hidden="true" />
}
