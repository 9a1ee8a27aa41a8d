import type {ServedModel} from '#contract/management.ts'
import {labelOf} from './model-catalogue.ts'

/** Label of the model that wrote a message. */
export const modelLabel = (name: string, servedModels: readonly ServedModel[]): string =>
  servedModels.find((model) => model.name === name)?.label ?? labelOf(name)
