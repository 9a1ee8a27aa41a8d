import {Button} from '#ui/button.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {useText} from '#ui/text.tsx'
import {useMedia} from './media.context.ts'

/** There is no token for the tool yet (spec §5, `no token`): the next step, not a failure. */
export function SetUpStep() {
  const media = useMedia()
  const text = useText()
  return (
    <EmptyState
      title={text('common.mediaSetUp', {tool: media.identity.name})}
      action={
        <Button variant="primary" onClick={media.startSetUp}>
          {text('application.pillStart')}
        </Button>
      }
    />
  )
}
