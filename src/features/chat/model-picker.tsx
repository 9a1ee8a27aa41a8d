import {Suspense} from 'react'
import {waitForField} from '#browser/typed-ahead.ts'
import {ChevronDownIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {useOverlay} from '#ui/use-overlay.ts'
import {useChat} from './chat.context.tsx'
import {shownLabel, type OfferedModel} from './model-catalogue.ts'
import styles from './model-picker.module.css'

type ModelPickerProps = {
  models: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  onChoose: (name: string) => void
}

/** The chosen model, and what opens the others; they load on first use. */
export function ModelPicker({models, chosen, onChoose}: ModelPickerProps) {
  const text = useText()
  const {threadWords, ModelChoice, loadModelChoice} = useChat()
  const {open, mounted, close, trigger} = useOverlay('dialog', () => {
    threadWords.loadAhead().catch(() => undefined)
    void loadModelChoice()
  })
  const label = chosen === undefined ? text('chat.model') : shownLabel(chosen, text)
  const choose = (model: OfferedModel) => {
    if (model.name !== chosen?.name) onChoose(model.name)
    close()
  }
  return (
    <>
      <button
        {...trigger}
        type="button"
        className={styles.model}
        aria-label={text('chat.chooseModel', {model: label})}
        onClick={() => {
          if (!open) waitForField()
          trigger.onClick()
        }}
      >
        <bdi>{label}</bdi>
        <ChevronDownIcon size={14} />
      </button>
      {mounted && (
        <Suspense>
          <ModelChoice
            models={models}
            chosen={chosen}
            onChoose={choose}
            open={open}
            onClose={close}
            anchor={trigger.ref}
          />
        </Suspense>
      )}
    </>
  )
}
