import {Fragment, useRef, type ReactNode} from 'react'
import {Button} from '#ui/button.tsx'
import {Drawer} from '#ui/drawer.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {AddIcon} from '#ui/icons.tsx'
import {SlidersIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import {Cost, GenerateButton, Problem, type GenerateProps} from './generate-foot.tsx'
import styles from './phone-dock.module.css'
import {MoneyText} from '#ui/money-text.tsx'

type PhoneDockProps = GenerateProps & {
  prompt: string
  placeholder: string
  /** The chosen settings in a few words. */
  line: readonly string[]
  /** The feed is being read downwards: one line is enough. */
  isSmall: boolean
  /** The fault that has to be mended in the form before it can be sent; the sheet has the field. */
  fault: string | undefined
  isOpen: boolean
  /** The first field that takes files, when the form shows one. */
  add: {label: string; types: readonly string[]; isMany: boolean; onAdd: (files: readonly File[]) => void} | undefined
  /** A pointer or the focus comes to it. */
  onNear: () => void
  onOpen: () => void
  onClose: () => void
  /** The same form as in the panel of wide pages. */
  children: ReactNode
}

/** Each part keeps its own direction: `Sora 2` and `10 s` are two also where the text runs to the left. */
const SettingsLine = ({parts}: {parts: readonly string[]}) => (
  <span className={styles.line}>
    {parts.map((part, position) => (
      <Fragment key={position}>
        {position > 0 && ' · '}
        <bdi>{part}</bdi>
      </Fragment>
    ))}
  </span>
)

/**
 * Phones and tablets: the results come first, and the prompt is docked under them. Touching it, or the settings beside
 * the button, opens the whole form in a sheet with Generate at its foot. It also says what a request lacks.
 */
export function PhoneDock(props: PhoneDockProps) {
  const {prompt, placeholder, line, isSmall, fault, isOpen, add, onNear, onOpen, onClose, children, ...generate} = props
  const text = useText()
  return (
    <div className={styles.dock} data-small={isSmall || undefined} onPointerEnter={onNear} onFocus={onNear}>
      <div className={styles.box}>
        <div className={styles.notes}>
          {fault !== undefined && !isOpen && (
            <button type="button" className={styles.fault} role="alert" onClick={onOpen}>
              {fault}
            </button>
          )}
          {!isOpen && <Problem {...generate} />}
          {!isSmall && generate.cost !== 0 && <Cost cost={generate.cost} balance={generate.balance} />}
        </div>
        <button type="button" className={styles.text} data-empty={prompt === '' || undefined} onClick={onOpen}>
          <span dir="auto">{prompt === '' ? placeholder : prompt}</span>
        </button>
        <div className={styles.row}>
          {add !== undefined && <AddButton {...add} />}
          <Button
            className={styles.settings}
            icon={<SlidersIcon size={14} />}
            aria-label={`${text('common.mediaSettings')}: ${line.join(' · ')}`}
            onClick={onOpen}
          >
            <SettingsLine parts={line.length === 0 ? [text('common.mediaSettings')] : line} />
          </Button>
          <SendButton {...generate} />
        </div>
      </div>
      <Drawer open={isOpen} onClose={onClose} side="bottom" title={text('common.mediaSettings')}>
        <div className={styles.sheet}>{children}</div>
      </Drawer>
    </div>
  )
}

function AddButton({label, isMany, types, onAdd}: NonNullable<PhoneDockProps['add']>) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={label} icon={<AddIcon />} onClick={() => chooser.current?.click()} />
      <input
        ref={chooser}
        type="file"
        hidden
        multiple={isMany}
        accept={types.join(',')}
        onChange={({currentTarget}) => {
          onAdd([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Sends the request at once, with its price in it; what else Generate may say replaces it. */
function SendButton(generate: Parameters<typeof GenerateButton>[0]) {
  const {phase, label, cost, onGenerate} = generate
  if (phase !== 'ready' && phase !== 'rejected')
    return (
      <span className={styles.send}>
        <GenerateButton {...generate} />
      </span>
    )
  return (
    <Button variant="primary" className={styles.send} onClick={onGenerate}>
      {label}
      {cost !== undefined && cost > 0 && (
        <span className={styles.cost}>
          <MoneyText amount={cost} />
        </span>
      )}
    </Button>
  )
}
