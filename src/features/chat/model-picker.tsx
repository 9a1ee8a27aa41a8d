import {lazy, Suspense} from 'react'
import {ChevronDownIcon} from '#ui/icons.tsx'
import {loadPart} from '#ui/load-part.ts'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useOverlay} from '#ui/use-overlay.ts'
import {useChat} from './chat.context.tsx'
import {shownLabel, type OfferedModel} from './model-catalogue.ts'
import styles from './model-picker.module.css'

const loadMenu = () => loadPart(() => import('./model-menu.tsx'))
const loadSheet = () => loadPart(() => import('./model-sheet.tsx'))
const ModelMenu = lazy(async () => ({default: (await loadMenu()).ModelMenu}))
const ModelSheet = lazy(async () => ({default: (await loadSheet()).ModelSheet}))

type ModelPickerProps = {
  models: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  onChoose: (name: string) => void
}

/** The chosen model and a list of others: a menu beside the button, a sheet on phones. Both load on first use. */
export function ModelPicker({models, chosen, onChoose}: ModelPickerProps) {
  const text = useText()
  const {threadWords} = useChat()
  const isPhone = useMediaQuery(phone)
  const {open, mounted, close, trigger} = useOverlay(isPhone ? 'dialog' : 'menu', () => {
    void threadWords()
    void (isPhone ? loadSheet() : loadMenu())
  })
  const label = chosen === undefined ? text('chat.model') : shownLabel(chosen, text)
  const choose = (model: OfferedModel) => {
    if (model.name !== chosen?.name) onChoose(model.name)
    close()
  }
  const Choice = isPhone ? ModelSheet : ModelMenu
  return (
    <>
      <button {...trigger} type="button" className={styles.model} aria-label={text('chat.chooseModel', {model: label})}>
        <bdi>{label}</bdi>
        <ChevronDownIcon size={14} />
      </button>
      {mounted && (
        <Suspense>
          <Choice models={models} chosen={chosen} onChoose={choose} open={open} onClose={close} anchor={trigger.ref} />
        </Suspense>
      )}
    </>
  )
}
