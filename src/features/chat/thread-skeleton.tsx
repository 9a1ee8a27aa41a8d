import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import styles from './chat-screen.module.css'

/** Shown while a conversation loads. */
export function ThreadSkeleton() {
  const text = useText()
  return (
    <div className={styles.skeleton} role="img" aria-label={text('common.loading')}>
      <div className={styles.skeletonQuestion}>
        <Skeleton inlineSize="44%" blockSize={44} radius="18px" />
      </div>
      <Skeleton inlineSize="92%" />
      <Skeleton inlineSize="86%" />
      <Skeleton inlineSize="58%" />
    </div>
  )
}
