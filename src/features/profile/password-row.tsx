import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import surface from '#ui/surface.module.css'
import styles from './profile-page.module.css'

/** Says what a change of the password does, with the button that begins it. */
export function PasswordRow({onChange}: {onChange: () => void}) {
  const text = useText()
  return (
    <div className={surface.surface}>
      <div className={styles.offer}>
        <div className={styles.offerText}>
          <p className={styles.offerTitle}>{text('index.profilePassword')}</p>
          <p className={styles.meta}>{text('index.profilePasswordHelp')}</p>
        </div>
        <Button onClick={onChange}>{text('index.profilePasswordChange')}</Button>
      </div>
    </div>
  )
}
