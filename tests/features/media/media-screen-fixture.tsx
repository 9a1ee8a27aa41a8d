import {act, within} from '@testing-library/react'
import {Profiler} from 'react'
import {expect, vi} from 'vitest'
import {MediaScreen} from '#features/media/media-screen.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {createMediaWorld, InMedia} from './media-fixture.tsx'
import {klingShown, Slots, slots} from './open-screen.tsx'
import {eventually} from '../../eventually.ts'

/** The screen of a tool, with its list read; `commits` counts its renders. */
export async function openMedia(options: Parameters<typeof createMediaWorld>[1] = {}) {
  const world = createMediaWorld(klingShown, options)
  const slotsView = renderView(<Slots />)
  const commits = vi.fn()
  const view = renderView(
    <Profiler id="screen" onRender={commits}>
      <InMedia media={world.media}>
        <MediaScreen slots={slots()} switcher={() => <button type="button">Kling</button>} />
      </InMedia>
    </Profiler>,
  )
  await act(async () => {
    await eventually(() => expect(world.actors.pages.getSnapshot().matches({newest: 'request'})).toBe(false))
  })
  return {...world, view, slotsView, commits}
}
export const panel = () => within(document.querySelector<HTMLElement>('#panel') ?? document.body)
export const prompt = () => panel().getByRole<HTMLTextAreaElement>('textbox', {name: /^Prompt/})
