import type {UsedResult} from '#domain/use-targets.ts'
import {createToolMachine} from '#machines/tool/tool.machine.ts'
import type {ToolInput} from '#machines/tool/tool.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import {ref} from './media-fixtures.ts'
import {nobody} from './nobody.ts'

export const machine = createToolMachine('foo')

export const input: ToolInput = {
  parentRef: nobody,
  session: nobody,
  environment: startEnvironment(),
  userId: 'u-1',
  host: 'https://foo.test',
  ref,
}

export const use: UsedResult = {
  target: {
    kind: 'tool',
    tool: 'foo',
    input: {field: 'picture', medium: 'image', most: 1, label: 'foo'},
    value: '/result.png',
  },
  ratio: undefined,
}
