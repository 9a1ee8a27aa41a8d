import type {ServedModel} from '#contract/management.ts'
import {labelOf} from './model-catalogue.ts'

/** Label of the model that wrote a message. */
export const modelLabel = (name: string, served: readonly ServedModel[]): string =>
  served.find((model) => model.name === name)?.label ?? labelOf(name)
