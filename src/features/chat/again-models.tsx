import type {RefObject} from 'react'
import {useChat} from './chat.context.tsx'
import type {CarriedFile, ModelsOfOthers, OfferedModel} from './model-catalogue.ts'

/** Asks a question again, of this or another model; `model` wrote the answer that is there. */
export type Again = {
  models: readonly OfferedModel[]
  model: string | undefined
  /** The files of the conversation, asked for as the models are shown. */
  files: () => readonly CarriedFile[]
  onChoose: (model: string) => void
  /** Models of other groups, asked for as they are shown. */
  inBranch: () => ModelsOfOthers | undefined
}

/** Choosing one of them closes the list. */
const closing = (models: ModelsOfOthers | undefined, close: () => void): ModelsOfOthers | undefined =>
  models && {
    ...models,
    onChoose: (model) => {
      close()
      models.onChoose(model)
    },
  }

type AgainModelsProps = {
  again: Again
  isOpen: boolean
  anchor: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** The models that can answer. */
export function AgainModels({again, isOpen, anchor, onClose}: AgainModelsProps) {
  const {ModelChoice} = useChat()
  return (
    <ModelChoice
      models={again.models}
      chosen={again.models.find((model) => model.name === again.model)}
      onChoose={(model) => {
        onClose()
        again.onChoose(model.name)
      }}
      open={isOpen}
      onClose={onClose}
      anchor={anchor}
      isForAnswer
      files={again.files()}
      inBranch={closing(again.inBranch(), onClose)}
    />
  )
}
