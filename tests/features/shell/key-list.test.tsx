import {screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState} from 'react'
import {expect, test} from 'vitest'
import {KeyList, type CommandKeys} from '#features/shell/commands/key-list.tsx'
import {renderView} from './render.tsx'

const none = () => undefined
const commands = ['New chat', 'Undo', 'Settings'].map((label): CommandKeys => ({
  id: label,
  label,
  keys: 'J',
  isChanged: label !== 'Settings',
  isAwaited: false,
}))

function Keys() {
  const [changedIds, setChangedIds] = useState<readonly string[]>(['New chat', 'Undo'])
  return (
    <KeyList
      commands={commands.map((command) => ({...command, isChanged: changedIds.includes(command.id)}))}
      fixed={[]}
      hasSingleKeys
      onSingleKeys={none}
      onChange={none}
      onPress={none}
      onCancel={none}
      onReset={(id) => setChangedIds((ids) => ids.filter((other) => other !== id))}
      onResetAll={() => setChangedIds([])}
    />
  )
}

test('keys that are reset have the focus of the button that is gone', async () => {
  const user = userEvent.setup()
  await renderView(<Keys />)
  await user.click(screen.getByRole('button', {name: /^Reset .*New chat/}))
  expect(document.activeElement).toBe(screen.getByRole('button', {name: /^Change .*New chat/}))
  await user.click(screen.getByRole('button', {name: 'Reset all keys'}))
  expect(screen.queryByRole('button', {name: /^Reset/})).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', {name: /^Change .*Settings/}))
})
