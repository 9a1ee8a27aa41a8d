import {defineScreen} from '#contract/media/media-screen.ts'
import {tool} from './sketch.ts'

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: 50},
    {kind: 'ratio', key: 'paper', label: 'paper', choices: [{value: '3:2'}, {value: '2:3'}]},
  ],
  actions: [],
  examples: [{label: 'exampleHarbour', set: {paper: '2:3'}}],
})
