import {Suspense} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {ChevronDownIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {useOverlay} from '#ui/use-overlay.ts'
import {useChat} from './chat.context.tsx'
import type {OfferedModel} from './model-catalogue.ts'

type AnswerWithProps = {
  models: readonly OfferedModel[]
  /** Name of the model that wrote the answer. */
  model: string | undefined
  onChoose: (model: string) => void
}

/** Asks the question again, of this or another model. */
export function AnswerWith({models, model, onChoose}: AnswerWithProps) {
  const text = useText()
  const {ModelChoice, loadModelChoice} = useChat()
  const {open, mounted, close, trigger} = useOverlay('dialog', () => void loadModelChoice())
  return (
    <>
      <IconButton {...trigger} size="sm" label={text('chat.answerWith')} icon={<ChevronDownIcon size={14} />} />
      {mounted && (
        <Suspense>
          <ModelChoice
            models={models}
            chosen={models.find(({name}) => name === model)}
            onChoose={({name}) => {
              close()
              onChoose(name)
            }}
            open={open}
            onClose={close}
            anchor={trigger.ref}
          />
        </Suspense>
      )}
    </>
  )
}
