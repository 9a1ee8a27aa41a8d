import {expect, test} from 'vitest'
import type {CookieValues} from '#browser/cookies.ts'
import type {PersistedState} from '#domain/persisted-state.ts'
import type {Theme} from '#domain/locale.ts'
import {initialPreferences} from '#app/logic/preferences.logic.ts'

type World = {query?: string; cookies?: CookieValues; stored?: Partial<PersistedState>; system?: Theme}

const paint = ({query = '', cookies = {}, stored = {}, system = 'light'}: World) => {
  const {theme, followsSystem} = initialPreferences({
    address: () => new URL(`https://foo.example/${query}`),
    cookies: {read: () => cookies},
    state: {read: () => stored},
    page: {systemTheme: () => system},
    language: 'en',
  })
  return {theme, followsSystem}
}

test.each<[string, World, ReturnType<typeof paint>]>([
  ['nothing known: the system', {system: 'dark'}, {theme: 'dark', followsSystem: true}],
  ['the cookie', {cookies: {theme: 'dark'}}, {theme: 'dark', followsSystem: false}],
  [
    'the address before the cookie',
    {query: '?theme=light', cookies: {theme: 'dark'}},
    {theme: 'light', followsSystem: false},
  ],
  [
    'following the system, whose theme changed since',
    {cookies: {theme: 'light'}, stored: {dark: false, setting: {followsSystem: true}}, system: 'dark'},
    {theme: 'dark', followsSystem: true},
  ],
  [
    'a cookie that another page wrote since',
    {cookies: {theme: 'dark'}, stored: {dark: false, setting: {followsSystem: true}}},
    {theme: 'dark', followsSystem: false},
  ],
  [
    'the browser was closed since, which ended the cookie',
    {stored: {dark: true, setting: {followsSystem: true}}},
    {theme: 'light', followsSystem: true},
  ],
])('the theme of the first paint: %s', (_, world, expected) => {
  expect(paint(world)).toEqual(expected)
})
