import {act, fireEvent, screen} from '@testing-library/react'
import {expect, onTestFinished, test} from 'vitest'
import {loadViews} from '#features/chat/load-views.ts'
import {loadPart} from '#ui/load-part.ts'
import {showScreen} from './chat-screen-fixture.tsx'

/** The placeholders of a thread that were in the page, also for a moment. */
function watchSkeletons() {
  const skeletons: Element[] = []
  const look = (records: MutationRecord[]) =>
    records
      .flatMap(({addedNodes}) => [...addedNodes])
      .filter((node): node is Element => node instanceof Element)
      .forEach((element) => {
        if (element.matches('[aria-label="Loading"]')) skeletons.push(element)
        skeletons.push(...element.querySelectorAll('[aria-label="Loading"]'))
      })
  const observer = new MutationObserver(look)
  observer.observe(document, {childList: true, subtree: true})
  onTestFinished(() => observer.disconnect())
  return () => {
    look(observer.takeRecords())
    return skeletons.length
  }
}

test('the first question of a page shows no placeholder where its thread was loaded while it was typed', async () => {
  await loadPart(loadViews)
  await showScreen(undefined)
  const shownSkeletons = watchSkeletons()
  const field = await screen.findByRole('textbox', {name: 'Message'})
  fireEvent.change(field, {target: {value: 'foo'}})
  // in the same step, without one in which React could try again
  act(() => void fireEvent.keyDown(field, {key: 'Enter'}))
  expect(screen.getByRole('log').textContent).toContain('foo')
  expect(shownSkeletons()).toBe(0)
})
