import {expect, type Locator} from '@playwright/test'
import type {ModelServer} from './model-server.ts'

/* The journeys of the message field, which a phone and a desktop take each by its own means. */

/** The labels of the questions that wait, in their order. */
export const waitingQuestions = (list: Locator): Promise<(string | null)[]> =>
  list.getByRole('group').evaluateAll((items) => items.map((item) => item.getAttribute('aria-label')))

/**
 * Expects that the files of a journey went with its only question: a text, an image and pasted lines, not the one that
 * was removed.
 */
export function expectFilesSent({calls}: ModelServer, ...parts: string[]): void {
  expect(calls).toHaveLength(1)
  const sent = JSON.stringify(calls[0]?.messages)
  for (const part of ['the secret word is heron', 'data:image/png;base64,', 'line 119', ...parts])
    expect(sent).toContain(part)
  expect(sent).not.toContain('not this')
}
