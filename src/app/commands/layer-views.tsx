import {useEffect} from 'react'
import {readKeyboardLayout} from '#browser/keyboard-layout.ts'
import {KeyList} from '#features/shell/commands/key-list.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'
import {useWords} from '../use-words.ts'
import {SignOutQuestion} from '../account/sign-out-question.tsx'
import {ImportConversations} from '../chat/import-conversations.tsx'
import {openLayer, type Layer} from '../shell/open-layer.ts'
import {useKeyList} from './command-keys.ts'
import {PaletteZone} from './palette-zone.tsx'
import {Settings} from './settings.tsx'

const close = () => openLayer.set(undefined)

/** The open layer, once its messages are loaded. */
export function OpenLayer({layer}: {layer: Layer}) {
  useWords('commands')
  // the commands of a thread have their names there
  useWords('thread')
  // keys are shown as the keyboard has them now
  useEffect(() => void readKeyboardLayout(), [])
  if (layer === 'palette') return <PaletteZone onClose={close} />
  if (layer === 'shortcuts') return <ShortcutSheet />
  if (layer === 'import') return <ImportConversations onClose={close} />
  if (layer === 'signOut') return <SignOutQuestion />
  return <Settings tab={layer} onClose={close} />
}

function ShortcutSheet() {
  const text = useText()
  return (
    <Dialog open title={text('index.shortcutSheet')} width={520} fillsPhone onClose={close}>
      <KeyList {...useKeyList()} />
    </Dialog>
  )
}
