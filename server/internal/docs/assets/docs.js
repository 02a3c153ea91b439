// Makes the pages handier: contents on a phone, tabs of languages, copying, searching. All of them can be read without.
'use strict'

document.documentElement.classList.add('scripted')
menu()
languages()
copying()
searching()

function menu() {
  const button = document.querySelector('.menu')
  const contents = document.getElementById('contents')
  button.hidden = false
  // Only the contents move, not the page.
  const here = contents.querySelector('[aria-current]')
  if (here) contents.scrollTop = here.offsetTop - contents.offsetTop - contents.clientHeight / 2
  button.addEventListener('click', () => {
    button.setAttribute('aria-expanded', String(contents.classList.toggle('open')))
  })
}

// languages makes tabs of the snippets that show the same thing, all of them on the language chosen last.
function languages() {
  const groups = []
  for (const first of document.querySelectorAll('.snippet:not([data-tab=""])')) {
    if (first.closest('.tabs')) continue
    const blocks = [first]
    const next = () => blocks.at(-1).nextElementSibling
    while (next()?.dataset.tab && !blocks.some((block) => block.dataset.tab === next().dataset.tab)) blocks.push(next())
    if (blocks.length > 1) groups.push(tabs(blocks, groups.length))
  }
  const choose = (tab) => groups.forEach((show) => show(tab))
  for (const button of document.querySelectorAll('[role=tab]')) {
    button.addEventListener('click', () => {
      const top = button.getBoundingClientRect().top
      choose(button.dataset.tab)
      remember(button.dataset.tab)
      scrollBy({ top: button.getBoundingClientRect().top - top, behavior: 'instant' })
    })
  }
  choose(remembered())
}

function tabs(blocks, group) {
  const frame = document.createElement('div')
  const list = document.createElement('div')
  frame.className = 'tabs'
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  blocks[0].before(frame)
  frame.append(list, ...blocks)
  const buttons = blocks.map((block, i) => {
    const button = document.createElement('button')
    Object.assign(button, {
      type: 'button',
      id: `tab-${group}-${i}`,
      textContent: block.querySelector('p').textContent,
    })
    button.dataset.tab = block.dataset.tab
    button.setAttribute('role', 'tab')
    block.id = `panel-${group}-${i}`
    block.setAttribute('role', 'tabpanel')
    block.setAttribute('aria-labelledby', button.id)
    button.setAttribute('aria-controls', block.id)
    return button
  })
  list.append(...buttons)
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const next = buttons.at((buttons.indexOf(event.target) + step) % buttons.length)
    next.focus()
    next.click()
  })
  return (tab) => {
    const chosen = Math.max(
      0,
      blocks.findIndex((block) => block.dataset.tab === tab),
    )
    blocks.forEach((block, i) => {
      block.hidden = i !== chosen
      buttons[i].setAttribute('aria-selected', String(i === chosen))
      buttons[i].tabIndex = i === chosen ? 0 : -1
    })
  }
}

// A browser may refuse to keep things.
function remember(tab) {
  try {
    localStorage.setItem('docs-language', tab)
  } catch {}
}

function remembered() {
  try {
    return localStorage.getItem('docs-language')
  } catch {
    return null
  }
}

function copying() {
  if (!navigator.clipboard) return
  for (const block of document.querySelectorAll('.code:not(.output)')) {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    block.append(button)
  }
}

function searching() {
  const search = document.querySelector('search')
  const input = search.querySelector('input')
  const status = search.querySelector('[role=status]')
  const found = document.getElementById('found')
  let index
  search.hidden = false
  const load = () =>
    (index ??= fetch(search.dataset.index)
      .then((response) => response.json())
      .then(prepare))
  input.addEventListener('focus', load, { once: true })
  input.addEventListener('input', async () => {
    const query = input.value
    const wanted = words(query)
    const results = wanted.length ? find(await load(), wanted) : []
    if (query !== input.value) return
    found.replaceChildren(...(results.length ? results.map((entry) => item(entry, wanted)) : [nothing()]))
    found.hidden = wanted.length === 0
    status.textContent =
      wanted.length === 0 ? '' : results.length === 1 ? '1 result' : `${results.length || 'No'} results`
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input')) return
    event.preventDefault()
    input.focus()
    input.select()
  })
  search.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    if (event.key === 'Escape') {
      input.focus()
      found.hidden = true
    } else if (event.key === 'Enter' && at < 0) links[0]?.click()
    else if (event.key === 'ArrowDown') links[at + 1]?.focus()
    else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus()
    else return
    event.preventDefault()
  })
  search.addEventListener('focusout', (event) => {
    if (!search.contains(event.relatedTarget)) found.hidden = true
  })
  input.addEventListener('focus', () => (found.hidden = !words(input.value).length))
}

const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const words = (text) =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

function prepare(entries) {
  return entries.map((entry) => ({ ...entry, title: fold(`${entry.h ?? ''} ${entry.p}`), text: fold(entry.t) }))
}

// find wants every word to be there, and puts what has them in its title first.
function find(entries, wanted) {
  const score = (entry) => {
    let sum = entry.h ? 0 : 1
    for (const word of wanted) {
      if (entry.title.includes(word)) sum += entry.title.startsWith(word) ? 12 : 8
      else if (entry.text.includes(word)) sum += 2
      else return 0
    }
    return sum + (entry.k === 'Guide' ? 1 : 0)
  }
  const scored = entries.map((entry) => [score(entry), entry]).filter(([sum]) => sum > 0)
  return scored
    .sort((a, b) => b[0] - a[0])
    .slice(0, 12)
    .map(([, entry]) => entry)
}

function nothing() {
  const li = document.createElement('li')
  const text = document.createElement('p')
  text.textContent = 'Nothing was found. Try fewer words, or others.'
  li.append(text)
  return li
}

// excerpt is the text around the first word that was wanted, without cutting words.
function excerpt(entry, wanted) {
  const text = entry.t
  const at = Math.min(...wanted.map((word) => entry.text.indexOf(word)).filter((place) => place >= 0))
  const start = at > 60 && at < Infinity ? text.indexOf(' ', at - 40) + 1 : 0
  const end = start + 130 < text.length ? text.lastIndexOf(' ', start + 130) : text.length
  return (start > 0 ? '… ' : '') + text.slice(start, end) + (end < text.length ? ' …' : '')
}

function item(entry, wanted) {
  const li = document.createElement('li')
  const link = document.createElement('a')
  const title = document.createElement('strong')
  const detail = document.createElement('small')
  link.href = entry.a
  title.textContent = entry.h ? `${entry.p} › ${entry.h}` : entry.p
  detail.textContent = excerpt(entry, entry.k === 'Reference' ? [] : wanted)
  link.append(title, detail)
  li.append(link)
  return li
}
