import {Suspense} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {ChevronDownIcon} from '#ui/icons.tsx'
import {loadPart} from '#ui/load-part.ts'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useOverlay} from '#ui/use-overlay.ts'
import type {OfferedModel} from './model-catalogue.ts'

const loadMenu = async () => (await import('./model-menu.tsx')).ModelMenu
const loadSheet = async () => (await import('./model-sheet.tsx')).ModelSheet
const ModelMenu = lazyView(loadMenu)
const ModelSheet = lazyView(loadSheet)

type AnswerWithProps = {
  models: readonly OfferedModel[]
  /** Name of the model that wrote the answer. */
  model: string | undefined
  onChoose: (model: string) => void
}

/** Asks the question again, of this or another model: a menu, a sheet on phones. */
export function AnswerWith({models, model, onChoose}: AnswerWithProps) {
  const text = useText()
  const isPhone = useMediaQuery(phone)
  const {open, mounted, close, trigger} = useOverlay(
    isPhone ? 'dialog' : 'menu',
    () => void loadPart<unknown>(isPhone ? loadSheet : loadMenu).catch(() => undefined),
  )
  const Choice = isPhone ? ModelSheet : ModelMenu
  return (
    <>
      <IconButton {...trigger} size="sm" label={text('chat.answerWith')} icon={<ChevronDownIcon size={14} />} />
      {mounted && (
        <Suspense>
          <Choice
            models={models}
            chosen={models.find(({name}) => name === model)}
            onChoose={({name}) => {
              close()
              onChoose(name)
            }}
            open={open}
            onClose={close}
            anchor={trigger.ref}
            isForAnswer
          />
        </Suspense>
      )}
    </>
  )
}
