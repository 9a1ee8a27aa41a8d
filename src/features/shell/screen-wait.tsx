import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {PartWaits} from './part-waits.tsx'
import styles from './page.module.css'

/** Replaces a screen while it is unclear who is signed in, or while its code loads. */
export function ScreenWait({title, isOnline}: {title: string | undefined; isOnline: boolean}) {
  const text = useText()
  return (
    <>
      <h1 className="visually-hidden" tabIndex={-1}>
        {title}
      </h1>
      {isOnline ? (
        <div className={styles.wait} role="img" aria-label={text('common.loading')}>
          <Skeleton inlineSize="38%" blockSize={28} />
          <Skeleton blockSize={120} radius="var(--r-lg)" />
          <Skeleton inlineSize="86%" />
          <Skeleton inlineSize="58%" />
        </div>
      ) : (
        <PartWaits />
      )}
    </>
  )
}
