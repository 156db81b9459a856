// The script that every page loads before its own: one for all views, since it is larger than most of them.
//
// The toolkit is deprecated: it is imported here alone, and its elements are made in ui.ts, so that it can be replaced.
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeProgressRing,
} from '@vscode/webview-ui-toolkit';

provideVSCodeDesignSystem().register(
  vsCodeButton(),
  vsCodeCheckbox(),
  vsCodeDropdown(),
  vsCodeOption(),
  vsCodeProgressRing(),
);
