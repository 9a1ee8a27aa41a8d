import {describe, expect, test} from 'vitest'
import {mayEditSite} from '#domain/site-editor.ts'
import {siteFormMachine} from '#machines/site-form/site-form.machine.ts'
import {selectIsChanged} from '#machines/site-form/site-form.selectors.ts'
import type {SiteFormEvent} from '#machines/site-form/site-form.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'
import {site, input, image, refused, stale, saved} from './site-form-fixture.ts'

const events = {
  'form.load': [{type: 'form.load'}],
  'draft.change': [
    {type: 'draft.change', changes: {title: 'Bar'}},
    {type: 'draft.change', changes: {admins: []}},
  ],
  'draft.discard': [{type: 'draft.discard'}],
  'image.choose': [
    {type: 'image.choose', field: 'logo', file: image},
    {type: 'image.choose', field: 'favicon', file: {...image, name: 'foo.exe', type: 'foo/bar'}},
  ],
  'image.cancel': [{type: 'image.cancel'}],
  'form.save': [{type: 'form.save'}],
  'save.undo': [{type: 'save.undo'}],
} satisfies EventFixtures<SiteFormEvent>

describe('the form of a site', () => {
  const {coverage, edges} = describeRules(siteFormMachine, {
    user: ['form.load', 'draft.change', 'draft.discard', 'image.choose', 'image.cancel', 'form.save', 'save.undo'],
    input,
    events: Object.values(events).flat(),
    outputs: {
      readSite: [site, {...site, admins: []}, {...site, admins: ['u-2'], editable: true}, undefined],
      checkSite: [
        site,
        saved,
        {...site, title: 'Baz', updated_at: '3'},
        {...site, admins: ['u-2'], updated_at: '3'},
        undefined,
      ],
      rereadSite: [saved, {...saved, admins: ['u-2']}, undefined],
      saveSite: [saved, {...saved, admins: ['u-2']}],
      uploadImage: ['https://foo.test/p'],
    },
    errors: [stale, refused, new Error('foo')],
    key: ({context: {draft, site: read, previous, failure, image: chosen}}) => [
      previous?.replaced.title,
      draft?.title,
      draft?.admins.length,
      draft?.logo,
      read?.title,
      failure?.status,
      chosen?.field,
      chosen?.fault?.kind,
      chosen?.failure?.code,
    ],
    limit: 40_000,
  })

  test('every transition is taken', () => expect(coverage.missing(siteFormMachine)).toEqual([]))

  test('nobody but an admin comes to type, and nothing faulty or unchanged is saved', () => {
    const wrong = edges.filter(({nextState: {context, ...state}}) => {
      if (state.hasTag('open')) return !mayEditSite(context.site, 'u-1')
      if (state.matches('saving')) return context.draft === undefined || context.draft.admins.length === 0
      return false
    })
    expect(wrong).toEqual([])
  })

  test('a save that was refused keeps what was typed, and can be made again', () => {
    const tried = edges.filter(
      ({state, nextState}) =>
        (state.matches('saving') || state.matches('checking')) &&
        nextState.matches('open') &&
        !nextState.matches({open: {editing: 'saved'}}),
    )
    const lost = tried.filter(({state, nextState}) => {
      const [from, to] = [state.context, nextState.context]
      const isTyped = from.draft?.title !== from.site?.title
      return (
        (isTyped && to.draft?.title !== from.draft?.title) || (selectIsChanged(state) && !selectIsChanged(nextState))
      )
    })
    expect([tried.length > 0, lost]).toEqual([true, []])
  })
})
