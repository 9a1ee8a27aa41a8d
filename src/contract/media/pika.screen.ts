import {imageFiles, labelledChoices, plainChoices, prefixed} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'
import {pikaEffects, pikaIngredientModes, pikaLimits, pikaModels, tool} from './pika.ts'

const hasIngredients = ({ingredients}: {ingredients: boolean}) => ingredients

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: pikaLimits.prompt},
    {
      kind: 'segmented',
      key: 'model',
      label: 'common.mediaModel',
      choices: ({ingredients}) => plainChoices(ingredients ? (['2.0'] as const) : pikaModels),
    },
    {kind: 'switch', key: 'ingredients', label: 'ingredients', help: 'ingredientsHelp'},
    {
      kind: 'files',
      key: 'image_url',
      label: 'common.mediaImages',
      ...imageFiles,
      most: pikaLimits.images,
      showIf: hasIngredients,
    },
    {
      kind: 'segmented',
      key: 'ingredients_mode',
      label: 'ingredientsMode',
      choices: labelledChoices(pikaIngredientModes, prefixed('mode')),
      showIf: hasIngredients,
    },
    {
      kind: 'select',
      key: 'effect',
      label: 'effect',
      choices: labelledChoices(pikaEffects, prefixed('effect')),
      isClearable: true,
    },
  ],
  actions: [],
  examples: [
    {label: 'exampleFox', set: {effect: 'Melt'}},
    {label: 'exampleTeapot', set: {effect: 'Levitate'}},
    {label: 'exampleCity', set: {}},
  ],
})
