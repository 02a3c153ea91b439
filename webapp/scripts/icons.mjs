// Draws the PNG icons in public/ with Chromium, from public/favicon.svg and the glyphs named below.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import {
  IconAtom2,
  IconBallFootball,
  IconBellRinging,
  IconBooks,
  IconCalendarEvent,
  IconChefHat,
  IconCloudRain,
  IconMovie,
  IconRocket,
  IconTrain,
} from '@tabler/icons-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

const folder = fileURLToPath(new URL('../public/', import.meta.url))
const logo = readFileSync(`${folder}favicon.svg`, 'utf8')
const bell = logo.match(/<path[^>]*>/g).join('')

/** Fills the square, so that a system may cut any shape out of it. */
const maskable = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#1b4ac2"/><g transform="translate(32 32) scale(.72) translate(-32 -32)">${bell}</g></svg>`
/** Only its transparency counts: the system colours it. */
const badge = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="6 8 52 52">${bell.replaceAll('#fbfaf7', '#fff')}</svg>`

const channels = {
  tempo: [IconCloudRain, '#2f6fd6', '#5fa3f5'],
  metro: [IconTrain, '#0b7a75', '#2bb3a3'],
  biblioteca: [IconBooks, '#7a4a1f', '#c08447'],
  cinema: [IconMovie, '#8e1f4f', '#d6457f'],
  ciencia: [IconAtom2, '#4b3bb5', '#8574ee'],
  futebol: [IconBallFootball, '#1f7a35', '#55b85f'],
  receitas: [IconChefHat, '#b84a12', '#f08a3c'],
  novidades: [IconBellRinging, '#1b4ac2', '#5280e8'],
  agenda: [IconCalendarEvent, '#a3253a', '#e5636f'],
  lancamentos: [IconRocket, '#23395d', '#4f75b3'],
}
const tile = ([glyph, from, to]) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 192 192">
  <defs><linearGradient id="g" x1="0" y1="1" x2="1" y2="0"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
  <rect width="192" height="192" fill="url(#g)"/>
  <g fill="none" stroke="#fff" stroke-opacity=".13" stroke-width="5"><circle cx="0" cy="0" r="62"/><circle cx="192" cy="0" r="62"/><circle cx="0" cy="192" r="62"/><circle cx="192" cy="192" r="62"/></g>
  <g transform="translate(45 45)">${renderToStaticMarkup(createElement(glyph, { size: 102, stroke: 1.75, color: '#fff' }))}</g>
</svg>`

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
const page = await browser.newPage()
const draw = async (svg, size, path) => {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>*{margin:0}body>svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
  await page.screenshot({ path: folder + path, omitBackground: true })
}
await draw(logo, 192, 'icon-192.png')
await draw(logo, 512, 'icon-512.png')
await draw(maskable, 512, 'icon-maskable-512.png')
// iOS rounds the corners itself and fills transparent areas with black
await draw(maskable, 180, 'apple-touch-icon.png')
await draw(badge, 96, 'badge-96.png')
for (const [name, look] of Object.entries(channels)) await draw(tile(look), 192, `channels/${name}.png`)
await browser.close()
