import { startAnalytics } from '../lib/analytics'
import '../lib/install'
import { Providers } from './Providers'
import { createApp } from './create-app'
import { preloadScreens } from './preloadScreens'

const app = createApp()
startAnalytics()
preloadScreens(app.router, app.queryClient)

export const App = () => <Providers {...app} />
