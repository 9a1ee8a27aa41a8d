import {useState, type ReactNode} from 'react'
import {Button} from '#ui/button.tsx'
import {Drawer} from '#ui/drawer.tsx'
import {SlidersIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import {GenerateButton, type GenerateProps} from './generate-foot.tsx'
import styles from './phone-dock.module.css'
import {MoneyText} from '#ui/money-text.tsx'

type PhoneDockProps = GenerateProps & {
  prompt: string
  placeholder: string
  /** The chosen settings in a few words. */
  line: string
  /** The feed is being read downwards: one line is enough. */
  isSmall: boolean
  /** The same form as in the panel of wide pages. */
  form: (close: () => void) => ReactNode
}

/**
 * Phones and tablets: the results come first, and the prompt is docked under them. Touching it, or the settings beside the
 * button, opens the whole form in a sheet with Generate at its foot.
 */
export function PhoneDock({prompt, placeholder, line, isSmall, form, ...generate}: PhoneDockProps) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  const close = () => setOpen(false)
  return (
    <div className={styles.dock} data-small={isSmall || undefined}>
      <div className={styles.box}>
        <button type="button" className={styles.text} data-empty={prompt === '' || undefined} onClick={open}>
          <span dir="auto">{prompt === '' ? placeholder : prompt}</span>
        </button>
        <div className={styles.row}>
          <Button
            className={styles.settings}
            icon={<SlidersIcon size={14} />}
            aria-label={`${text('common.mediaSettings')}: ${line}`}
            onClick={open}
          >
            <bdi>{line === '' ? text('common.mediaSettings') : line}</bdi>
          </Button>
          {generate.phase === 'ready' || generate.phase === 'rejected' ? (
            <Button
              variant="primary"
              className={styles.send}
              onClick={() => (prompt === '' && line === '' ? open() : generate.onGenerate())}
            >
              {generate.label}
              {generate.cost !== undefined && generate.cost > 0 && (
                <span className={styles.cost}>
                  <MoneyText amount={generate.cost} />
                </span>
              )}
            </Button>
          ) : (
            <span className={styles.send}>
              <GenerateButton {...generate} />
            </span>
          )}
        </div>
      </div>
      <Drawer open={isOpen} onClose={close} side="bottom" title={text('common.mediaSettings')}>
        <div className={styles.sheet}>{form(close)}</div>
      </Drawer>
    </div>
  )
}
