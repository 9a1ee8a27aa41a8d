import {displayable} from 'culori'
import {expect, test} from 'vitest'
import {accentHex, accentOf, clampAccent, defaultAccent} from '#domain/site-accent.ts'

const hues = Array.from({length: 72}, (_, index) => index * 5)

test('at every hue the fills of a button are inside sRGB, and grey enough colours keep some chroma', () => {
  for (const hue of hues) {
    const {chroma} = clampAccent({hue, chroma: 0.4})
    expect(chroma).toBeGreaterThanOrEqual(0.03)
    expect(chroma).toBeLessThanOrEqual(0.215)
    // a thousandth is what rounding may add
    for (const l of [0.535, 0.485]) expect(displayable({mode: 'oklch', l, c: chroma - 0.001, h: hue})).toBe(true)
    expect(clampAccent({hue, chroma: 0}).chroma).toBe(0.03)
  }
})

test('the default and what was clamped before stay as they are; a hue is an angle', () => {
  expect(clampAccent(defaultAccent)).toEqual(defaultAccent)
  const once = clampAccent({hue: 190, chroma: 0.4})
  expect(clampAccent(once)).toEqual(once)
  expect(clampAccent({hue: -80, chroma: 0.1}).hue).toBe(280)
})

test('a colour comes back from the field with its hue, whatever its lightness was', () => {
  for (const hue of hues) {
    const accent = clampAccent({hue, chroma: 0.12})
    const again = accentOf(accentHex(accent))
    expect(Math.abs(((again.hue - hue + 540) % 360) - 180)).toBeLessThan(2)
    expect(again.chroma).toBeCloseTo(accent.chroma, 2)
  }
  expect(accentOf('#808080').chroma).toBe(0.03)
  expect(accentOf('#ff0000').hue).toBeCloseTo(29.2, 0)
})
