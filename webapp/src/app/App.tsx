import { startAnalytics } from '../lib/analytics'
import { Providers } from './Providers'
import { createApp } from './create-app'

const app = createApp()
startAnalytics()

export const App = () => <Providers {...app} />
