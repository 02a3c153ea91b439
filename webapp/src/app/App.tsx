import { startAnalytics } from '../lib/analytics'
import { keepTyped } from '../lib/typed'
import '../lib/install'
import { Providers } from './Providers'
import { createApp } from './create-app'
import { preloadScreens } from './preloadScreens'

const app = createApp()
keepTyped()
startAnalytics()
preloadScreens(app.router, app.queryClient)

export const App = () => <Providers {...app} />
