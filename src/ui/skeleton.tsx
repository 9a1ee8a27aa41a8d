import styles from './skeleton.module.css'

type SkeletonProps = {inlineSize?: string | number; blockSize?: string | number; radius?: string}

/** A grey box in the final geometry of the loading content. Appears after 150 ms (design §11). */
export function Skeleton({inlineSize = '100%', blockSize = 16, radius = 'var(--r-sm)'}: SkeletonProps) {
  return <span className={styles.skeleton} style={{inlineSize, blockSize, borderRadius: radius}} aria-hidden="true" />
}
