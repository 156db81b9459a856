// The script that every page loads before its own. All views share it, since it is larger than most of them.
//
// The toolkit is deprecated: only this file imports it, and only ui.ts creates its elements, so that it can be
// replaced.
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
