import {useBlocker} from '@tanstack/react-router'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'

/** Asks before a page with changes that are not saved is left: by a link or Back with a dialog, else by the browser. */
export function LeaveQuestion({isChanged}: {isChanged: boolean}) {
  const text = useText()
  const {status, proceed, reset} = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  return (
    <Dialog
      open={status === 'blocked'}
      title={text('site.leaveTitle')}
      description={text('site.leaveText')}
      width={400}
      onClose={() => reset?.()}
      actions={
        <>
          <Button variant="ghost" onClick={() => proceed?.()}>
            {text('site.leaveGo')}
          </Button>
          <Button variant="primary" onClick={() => reset?.()}>
            {text('site.leaveStay')}
          </Button>
        </>
      }
    />
  )
}
