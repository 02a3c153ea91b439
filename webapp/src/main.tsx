import './app/styles.css' // before the styles of what it is the base of
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { InvalidEnv, env } from './env'
import { showTextLarge } from './lib/large-text'

const root = document.getElementById('root')
if (!root) throw new Error('No root element found')

showTextLarge()
try {
  env()
  createRoot(root).render(<App />)
} catch (error) {
  if (!(error instanceof InvalidEnv)) throw error
  createRoot(root).render(
    <main className="invalid-env">
      <h1>{error.message}</h1>
      <ul>
        {error.problems.map(({ name, problem }) => (
          <li key={name}>
            <code>{name}</code>: {problem}
          </li>
        ))}
      </ul>
    </main>,
  )
}
